"""with_folder.py FOLDER PROGRAM [ARGUMENT...]: runs the program, or skips it (exit code 77) if the folder is absent."""

import os
import sys


def main():
    folder, *command = sys.argv[1:]
    if not os.path.isdir(folder):
        print(f"SKIPPED: needs the folder {folder}, which is not there (option shared_dir)")
        return 77
    os.execv(command[0], command)


if __name__ == "__main__":
    sys.exit(main())
