ｅｖａｌ = 1
print(ᵉval)
# ‮ hidden
x = "⁦"
ñ = “a”
