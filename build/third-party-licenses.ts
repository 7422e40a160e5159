import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The file names under which packages keep their licenses. */
const LICENSE_FILE = /^(?:licen[cs]e|copying)(?:[.-].*)?$/i;

interface PackageDescription {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
}

/**
 * The licenses of all packages that a bundle contains, each with its name and version.
 *
 * @param inputs paths of the bundled files below `root`
 */
export function formatLicenses(root: string, inputs: readonly string[]): string {
  const folders = new Set(inputs.flatMap((path) => packageFolder(path) ?? []));
  const sections = [...folders].sort().map((folder) => formatLicense(join(root, folder)));
  return `This program contains the following packages.\n\n${sections.join('\n')}`;
}

/** The folder of the package to which a file belongs; undefined for a file of this project. */
function packageFolder(path: string): string | undefined {
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0];
}

function formatLicense(folder: string): string {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const { name, version, license } = JSON.parse(text) as PackageDescription;
  const file = readdirSync(folder).find((entry) => LICENSE_FILE.test(entry));
  const terms =
    file === undefined
      ? `License: ${license ?? 'see its package'}\n`
      : readFileSync(join(folder, file), 'utf8');
  return `${'-'.repeat(80)}\n${name} ${version}\n\n${terms.trim()}\n`;
}
