from dataclasses import dataclass, asdict, field

@dataclass
class Row:
    name: str
    parts: list = field(default_factory=list)

    def first(self):
        return self.parts[0] if self.parts else None

def extract(path):
    row = Row(path, path.split("/"))
    return asdict(row)
