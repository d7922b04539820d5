# SPDX-License-Identifier: MIT
"""What pip calls to install libreduction.py (PEP 517). Needs no other package and no network, and writes only Python's
cache to this folder. The wheel has a copy of the library of the tree that it comes from, and is for this kind of machine."""
import base64
import hashlib
import pathlib
import re
import sysconfig
import zipfile

HERE = pathlib.Path(__file__).resolve().parent


def _line(path, content):
    digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip('=')
    return f'{path},sha256={digest},{len(content)}\n'


def build_wheel(folder, config_settings=None, metadata_directory=None):
    version, summary = (re.search(rf'^{key} = "(.*)"', (HERE / 'pyproject.toml').read_text(), re.M)[1]
                        for key in ('version', 'description'))
    name = f'libreduction-{version}'
    tag = f'py3-none-{re.sub("[-.]", "_", sysconfig.get_platform())}'
    texts = {'libreduction/__init__.py': (HERE / 'libreduction.py').read_text(),
             'libreduction/py.typed': '',
             f'{name}.dist-info/METADATA': f'Metadata-Version: 2.1\nName: libreduction\nVersion: {version}\nSummary: {summary}\n',
             f'{name}.dist-info/WHEEL': f'Wheel-Version: 1.0\nGenerator: libreduction\nRoot-Is-Purelib: false\nTag: {tag}\n'}
    files = {path: text.encode() for path, text in texts.items()}
    files['libreduction/lib/libreduction.so'] = (HERE.parents[2] / 'lib' / 'libreduction.so').read_bytes()
    record = f'{name}.dist-info/RECORD'
    files[record] = (''.join(_line(*file) for file in files.items()) + f'{record},,\n').encode()
    with zipfile.ZipFile(pathlib.Path(folder, f'{name}-{tag}.whl'), 'w', zipfile.ZIP_DEFLATED) as wheel:
        for path, content in files.items():
            wheel.writestr(path, content)
    return f'{name}-{tag}.whl'
