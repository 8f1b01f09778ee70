"""Sessions inside a cell: pieces of code that share their names, host functions, and an event loop without a selector. Loaded into the
zygote before it makes cells; runs beside the guest's code, so everything that it says is checked again outside."""
