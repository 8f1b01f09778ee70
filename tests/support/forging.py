"""For guests with native code that tamper with airlock's part of their process: the cell's socket, messages as the cell writes
them, the ticket of the question that is being answered, and memory as far as it can be read. Text that stands at the head of a guest."""

HANDS = '''
import ctypes, errno, re, signal, socket, time
libc = ctypes.CDLL(None, use_errno=True)
libc.sbrk.restype = ctypes.c_void_p
libc.sendmsg.restype = libc.recvmsg.restype = ctypes.c_ssize_t

class Part(ctypes.Structure):
    _fields_ = [("base", ctypes.c_char_p), ("size", ctypes.c_size_t)]

class Envelope(ctypes.Structure):
    _fields_ = [("name", ctypes.c_void_p), ("name_size", ctypes.c_uint32), ("parts", ctypes.POINTER(Part)), ("count", ctypes.c_size_t),
                ("control", ctypes.c_char_p), ("control_size", ctypes.c_size_t), ("flags", ctypes.c_int)]

def send_bytes(data, flags=0x4040, control=None):
    while data:
        part = Part(data[:65536], min(len(data), 65536))
        envelope = Envelope(None, 0, ctypes.pointer(part), 1, control, len(control or b""), 0)
        sent = libc.sendmsg(0, ctypes.byref(envelope), flags)
        if sent < 0 and ctypes.get_errno() != errno.EAGAIN:
            return False
        data = data[max(sent, 0):]
    return True

def send(body, flags=0x4040):
    return send_bytes(len(body).to_bytes(4, "little") + body, flags)

def receive_bytes(size):
    data = b""
    while len(data) < size:
        room = ctypes.create_string_buffer(size - len(data))
        part = Part(ctypes.cast(room, ctypes.c_char_p), len(room))
        got = libc.recvmsg(0, ctypes.byref(Envelope(None, 0, ctypes.pointer(part), 1, None, 0, 0)), 0x40000040)
        if got > 0:
            data += room.raw[:got]
        else:
            time.sleep(0.001)
    return data

def receive():
    return receive_bytes(int.from_bytes(receive_bytes(4), "little"))

def text(data):
    return len(data).to_bytes(4, "little") + data

def outcome(ticket, value=b\'{"forged":true}\', success=1, kind=b"", error=b"", out=b"", err=b""):
    zero = (0).to_bytes(4, "little")
    return b"O" + ticket + bytes([success]) + text(value) + text(kind) + text(error) + zero * 2 + text(out) + text(err) + zero

def rows(ticket, count):
    return b"R" + ticket + count.to_bytes(4, "little") + (b"\\x01" + text(b\'{"forged":true}\')) * count

def is_readable(page):
    ctypes.set_errno(0)
    libc.access(ctypes.c_void_p(page), 0)
    return ctypes.get_errno() != errno.EFAULT

def heap():
    end = libc.sbrk(0) & ~0xFFF
    start = end
    while is_readable(start - 4096):
        start -= 4096
    return ctypes.string_at(start, end - start)

def ticket_of(start):
    """Of the question that begins so."""
    memory, wanted = heap(), start.encode()
    at = memory.find(wanted)
    while at >= 0:
        if memory[at - 13:at - 12] == b"P":
            return memory[at - 12:at - 4]
        at = memory.find(wanted, at + 1)
    raise LookupError("the question is not in memory")

def ticket_of_load():
    memory = heap()
    for found in re.finditer(rb"L(.{8}).{16}(.{4})(.{4})[c\\xe3]\\0\\0\\0\\0", memory, re.DOTALL):
        depth, size = (int.from_bytes(found[i], "little") for i in (2, 3))
        if 0 < depth < 1000 and 100 < size < 1 << 20:
            return found[1]
    raise LookupError("the question is not in memory")

def be_denied():
    try:
        socket.socket()
    except OSError:
        pass

NONE = bytes(8)
'''
