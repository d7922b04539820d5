# SPDX-License-Identifier: MIT
"""What pip calls to install libreduction.py (PEP 517). Needs no other package and no network, and writes only Python's
cache to this folder. The module remembers the installed tree that it comes from."""
import base64
import hashlib
import pathlib
import re
import zipfile

HERE = pathlib.Path(__file__).resolve().parent


def _line(path, text):
    digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).decode().rstrip('=')
    return f'{path},sha256={digest},{len(text.encode())}\n'


def build_wheel(folder, config_settings=None, metadata_directory=None):
    version, summary = (re.search(rf'^{key} = "(.*)"', (HERE / 'pyproject.toml').read_text(), re.M)[1]
                        for key in ('version', 'description'))
    name = f'libreduction-{version}'
    module = (HERE / 'libreduction.py').read_text().replace('_TREE = None', f'_TREE = {str(HERE.parents[2])!r}', 1)
    files = {'libreduction.py': module,
             f'{name}.dist-info/METADATA': f'Metadata-Version: 2.1\nName: libreduction\nVersion: {version}\nSummary: {summary}\n',
             f'{name}.dist-info/WHEEL': 'Wheel-Version: 1.0\nGenerator: libreduction\nRoot-Is-Purelib: true\nTag: py3-none-any\n'}
    record = f'{name}.dist-info/RECORD'
    files[record] = ''.join(_line(*file) for file in files.items()) + f'{record},,\n'
    with zipfile.ZipFile(pathlib.Path(folder, f'{name}-py3-none-any.whl'), 'w', zipfile.ZIP_DEFLATED) as wheel:
        for path, text in files.items():
            wheel.writestr(path, text)
    return f'{name}-py3-none-any.whl'
