import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium, type Browser } from 'playwright-core';

/*
 * A real Chromium: the one that `CHROMIUM` names, or else the one inside the package `@sparticuz/chromium`, which is unpacked once.
 * Nothing is downloaded.
 */

/** Our own: those of the package would switch off what keeps origins apart. */
const launchArguments = [
  // Tests run as root, in containers.
  '--no-sandbox',
  '--no-zygote',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--font-render-hinting=none',
];

export async function openChromium(): Promise<Browser> {
  const named = process.env['CHROMIUM'];
  if (named !== undefined) return chromium.launch({ executablePath: named, args: launchArguments });
  const folder = unpackChromium();
  return chromium.launch({
    executablePath: join(folder, 'chromium'),
    args: launchArguments,
    // Libraries and fonts of the package, so that a machine needs none.
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'al2023/lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  });
}

/** Unpacks into a folder of this version, once. The package goes by variables, which only the process that unpacks has. */
function unpackChromium(): string {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const description = readFileSync(join(dirname(entry), '../../package.json'), 'utf8');
  const { version } = JSON.parse(description) as { version: string };
  const folder = join(tmpdir(), `zonewright-chromium-${version}`);
  const mark = join(folder, 'complete');
  if (existsSync(mark)) return folder;
  // Test files start at the same time: each unpacks beside the folder, and the first one gives it its name.
  const own = mkdtempSync(`${folder}-`);
  execFileSync(process.execPath, ['--input-type=module', '--eval', UNPACK], {
    cwd: dirname(entry),
    env: { ...process.env, TMPDIR: own, AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs20.x' },
  });
  // The configuration of the package names other folders, such as /tmp/fonts. Where none of them has a font, Chromium
  // ends at the first page.
  const fonts = `<dir>${join(folder, 'fonts')}</dir><cachedir>${join(folder, 'fonts-cache')}</cachedir>`;
  writeFileSync(join(own, 'fonts.conf'), `<?xml version="1.0"?>\n<fontconfig>${fonts}</fontconfig>\n`);
  writeFileSync(join(own, 'complete'), '');
  try {
    renameSync(own, folder);
  } catch {
    rmSync(own, { recursive: true });
  }
  return folder;
}

const UNPACK = `
import chromium from '@sparticuz/chromium';
chromium.setGraphicsMode = false;
await chromium.executablePath();
`;
