import { readFileSync } from 'node:fs';

type Versions = Readonly<Record<string, string>>;

/** The parts of package.json that the build reads. */
export interface PackageFile {
  readonly dependencies: Versions;
  readonly optionalDependencies: Versions;
  readonly devDependencies: Versions;
}

export function readPackageFile(): PackageFile {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return JSON.parse(text) as PackageFile;
}
