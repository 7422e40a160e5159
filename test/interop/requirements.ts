// Checks which programs of the interoperability tests are missing. Installs nothing.

import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';

export interface Requirement {
  readonly debianPackage: string;
  /** A command, or the absolute path of a file in the package. */
  readonly proof: string;
}

/** The missing requirements, in the order of the list. */
export function missingRequirements(): Requirement[] {
  return readRequirements().filter(
    ({ proof }) => !(proof.startsWith('/') ? existsSync(proof) : isCommand(proof)),
  );
}

/** The message for missing requirements: a list, and one command that installs them. */
export function formatMissing(missing: readonly Requirement[]): string {
  const lines = missing.map(({ debianPackage, proof }) => `  ${debianPackage}  (looked for ${proof})`);
  const packages = missing.map(({ debianPackage }) => debianPackage).join(' ');
  return [
    'These Debian packages are missing:',
    ...lines,
    'Install them with:',
    `  sudo apt-get install --yes --no-install-recommends ${packages}`,
  ].join('\n');
}

function readRequirements(): Requirement[] {
  return readFileSync(new URL('debian-packages.txt', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const [debianPackage = '', proof = ''] = line.split(/\s+/);
      return { debianPackage, proof };
    });
}

function isCommand(name: string): boolean {
  return (process.env['PATH'] ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}
