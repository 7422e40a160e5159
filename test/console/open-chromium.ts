import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
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
  return chromium.launch({
    executablePath: named ?? unpackChromium(),
    args: launchArguments,
    env: { ...process.env, FONTCONFIG_PATH: process.env['FONTCONFIG_PATH'] ?? '/etc/fonts' },
  });
}

/** Unpacks into a folder of this version; a process of its own has the variables that the package goes by. */
function unpackChromium(): string {
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const { version } = createRequire(import.meta.url)(join(dirname(entry), '../../package.json')) as {
    version: string;
  };
  const folder = join(tmpdir(), `zonewright-chromium-${version}`);
  mkdirSync(folder, { recursive: true });
  const script =
    "import('@sparticuz/chromium').then(async ({ default: it }) => { it.setGraphicsMode = false; console.log(await it.executablePath()); })";
  const output = execFileSync(process.execPath, ['--eval', script], {
    env: { ...process.env, TMPDIR: folder },
    encoding: 'utf8',
  });
  return output.trim();
}
