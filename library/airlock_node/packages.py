"""Modules whose package has another name: `pip install yaml` installs nothing that helps."""
PACKAGES = {
    "attr": "attrs", "bs4": "beautifulsoup4", "Crypto": "pycryptodome", "cv2": "opencv-python", "dateutil": "python-dateutil",
    "discord": "discord.py", "docx": "python-docx", "dns": "dnspython", "dotenv": "python-dotenv", "fitz": "PyMuPDF",
    "git": "GitPython", "github": "PyGithub", "google.protobuf": "protobuf", "googleapiclient": "google-api-python-client",
    "grpc": "grpcio", "igraph": "python-igraph", "jose": "python-jose", "jwt": "PyJWT", "kafka": "kafka-python", "ldap": "python-ldap",
    "levenshtein": "python-Levenshtein", "Levenshtein": "python-Levenshtein", "magic": "python-magic", "markdown": "Markdown",
    "mpl_toolkits": "matplotlib", "MySQLdb": "mysqlclient", "nacl": "PyNaCl", "OpenSSL": "pyOpenSSL", "osgeo": "GDAL",
    "PIL": "Pillow", "pkg_resources": "setuptools", "pptx": "python-pptx", "psycopg2": "psycopg2-binary", "pythoncom": "pywin32",
    "serial": "pyserial", "skimage": "scikit-image", "sklearn": "scikit-learn", "slugify": "python-slugify", "socks": "PySocks",
    "speech_recognition": "SpeechRecognition", "telegram": "python-telegram-bot", "usb": "pyusb", "websocket": "websocket-client",
    "wx": "wxPython", "Xlib": "python-xlib", "yaml": "PyYAML", "youtube_transcript_api": "youtube-transcript-api", "zmq": "pyzmq",
}


def package_of(module):
    """The name to install, for `a.b.c` too."""
    return PACKAGES.get(module) or PACKAGES.get(module.partition(".")[0]) or module.partition(".")[0]
