# SPDX-License-Identifier: MIT
from shop.app import app


@app.get("/orders/<int:number>")
def order(number):
    return {"number": number}
