"""Modules whose package has another name: `pip install yaml` installs nothing that helps."""
import re

PACKAGES = {
    "attr": "attrs", "bs4": "beautifulsoup4", "Crypto": "pycryptodome", "cv2": "opencv-python", "dateutil": "python-dateutil",
    "discord": "discord.py", "docx": "python-docx", "dns": "dnspython", "dotenv": "python-dotenv", "fitz": "PyMuPDF",
    "git": "GitPython", "github": "PyGithub", "googleapiclient": "google-api-python-client",
    "grpc": "grpcio", "igraph": "python-igraph", "jose": "python-jose", "jwt": "PyJWT", "kafka": "kafka-python", "ldap": "python-ldap",
    "levenshtein": "python-Levenshtein", "Levenshtein": "python-Levenshtein", "magic": "python-magic", "markdown": "Markdown",
    "mpl_toolkits": "matplotlib", "MySQLdb": "mysqlclient", "nacl": "PyNaCl", "OpenSSL": "pyOpenSSL", "osgeo": "GDAL",
    "PIL": "Pillow", "pkg_resources": "setuptools", "pptx": "python-pptx", "psycopg2": "psycopg2-binary", "pythoncom": "pywin32",
    "serial": "pyserial", "skimage": "scikit-image", "sklearn": "scikit-learn", "slugify": "python-slugify", "socks": "PySocks",
    "speech_recognition": "SpeechRecognition", "telegram": "python-telegram-bot", "usb": "pyusb", "websocket": "websocket-client",
    "wx": "wxPython", "Xlib": "python-xlib", "yaml": "PyYAML", "youtube_transcript_api": "youtube-transcript-api", "zmq": "pyzmq",
}


# Packages that share one top name. A package called like that name is something else altogether.
SHARED = {"google": {"protobuf": "protobuf", "auth": "google-auth", "oauth2": "google-auth", "generativeai": "google-generativeai",
                     "genai": "google-genai"}}
BELOW = re.compile(r"\b(google)\.(\w+)(?:\.(\w+))?")


def package_below(found):
    """`google.cloud.storage` -> google-cloud-storage"""
    top, second, third = found.groups()
    return SHARED[top].get(second) or "-".join(one for one in (top, second, third) if one and (second == "cloud" or one != third))


def package_of(module, code=""):
    """The name to install, for `a.b.c` too. `code`: where it was imported, for names that several packages share."""
    found = BELOW.search(module) or (BELOW.search(code) if module in SHARED else None)
    if found:
        return package_below(found)
    return PACKAGES.get(module) or PACKAGES.get(module.partition(".")[0]) or module.partition(".")[0]
