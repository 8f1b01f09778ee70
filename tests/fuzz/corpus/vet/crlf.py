# -*- coding: utf-8 -*-
def extract(path):
    return {}
