"""Does one thing over SFTP with paramiko: `paramiko-client.py FUNCTION ARGUMENT...`."""
import os
import shutil
import sys

import paramiko


def upload(sftp, local, remote):
    sftp.put(local, remote)


def download(sftp, remote, local):
    sftp.get(remote, local)


def resume_upload(sftp, local, remote):
    with open(local, "rb") as source, sftp.open(remote, "r+b") as target:
        target.set_pipelined(True)
        size = target.stat().st_size
        source.seek(size)
        target.seek(size)
        shutil.copyfileobj(source, target, 32768)


def resume_download(sftp, remote, local):
    with sftp.open(remote, "rb") as source, open(local, "ab") as target:
        source.seek(target.tell())
        shutil.copyfileobj(source, target, 32768)


def rename(sftp, source, target):
    sftp.rename(source, target)


def make_folders(sftp, path):
    made = ""
    for name in path.strip("/").split("/"):
        made += "/" + name
        try:
            sftp.stat(made)
        except FileNotFoundError:
            sftp.mkdir(made)


def names(sftp, folder):
    print("\n".join(sftp.listdir(folder)))


def remove(sftp, path):
    sftp.remove(path)


def truncate(sftp, path, size):
    sftp.truncate(path, int(size))
    print(sftp.stat(path).st_size)


def truncate_open(sftp, path, size):
    with sftp.open(path, "r+b") as file:
        file.truncate(int(size))
    print(sftp.stat(path).st_size)


def main():
    functions = [upload, download, resume_upload, resume_download, rename, make_folders]
    functions += [names, remove, truncate, truncate_open]
    chosen = {function.__name__: function for function in functions}[sys.argv[1]]
    env = os.environ
    key = paramiko.Ed25519Key.from_private_key_file(env["SFTP_KEY_FILE"]) if env["SFTP_KEY_FILE"] else None
    with paramiko.Transport(("127.0.0.1", int(env["SFTP_PORT"]))) as transport:
        if key is None:
            transport.connect(username=env["SFTP_USER"], password=env["SFTP_PASSWORD"])
        else:
            transport.connect(username=env["SFTP_USER"], pkey=key)
        with paramiko.SFTPClient.from_transport(transport) as sftp:
            chosen(sftp, *sys.argv[2:])


main()
