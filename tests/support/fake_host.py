#!/usr/bin/python3 -I
"""A stand-in for airlock-host in the vetter role, for tests of the near side: it answers every file with an acceptance,
except when the text names a mishap. A mishap at the start is named by the policy.

    text "die"       ends without an answer            policy "trouble"   cannot raise its walls
    text "hang"      never answers                     policy "silent"    ends before it is ready
    text "babble"    answers with no message           policy "babble"    answers with no message
    text "lie"       accepts with an error in it
    text "flood"     announces more than anyone may send
    text "other"     accepts another text
"""

import os
import signal
import socket
import struct

channel = socket.socket(fileno=3)


def number(value):
    return struct.pack("<I", value)


def text(value):
    return number(len(value)) + value


def send(message):
    channel.sendall(text(message))


def receive():
    def exactly(size):
        data = b""
        while len(data) < size:
            more = channel.recv(size - len(data))
            if not more:
                os._exit(0)
            data += more
        return data

    return exactly(struct.unpack("<I", exactly(4))[0])


def verdict(code, findings):
    return b"D\0\4" + text(code) + text(b"") + b"\0" + number(0) + number(len(findings)) + b"".join(findings)


hello = receive()
policy = hello[5 : 5 + struct.unpack("<I", hello[1:5])[0]]
if policy == b"trouble":
    send(b"T" + text(b"raise the wall 'seccomp': Operation not permitted"))
    os._exit(3)
if policy == b"silent":
    os._exit(7)
if policy == b"babble":
    send(b"what?")
    signal.pause()
send(b"R" + number(1) + text(b"cardboard"))
while True:
    raw = receive()[10:]  # behind the type, the stages, the piece and the length
    if b"die" in raw:
        os._exit(9)
    if b"hang" in raw:
        signal.pause()
    if b"flood" in raw:
        channel.sendall(b"\xff\xff\xff\xff")
        signal.pause()
    if b"babble" in raw:
        send(b"what?")
    elif b"lie" in raw:
        place = number(1) + number(0) + number(1) + number(0)
        send(verdict(raw, [number(201) + b"\0" + place + text(b"os") + text(b"refused") + text(b"")]))
    else:
        send(verdict(b"pass\n" if b"other" in raw else raw, []))
