// Packs the project, installs that package globally into an empty prefix without development packages, and uses it as
// the README tells a new user to:
//
//   npm run test:package
//
// Checks the installed size, and that the embedded store needs no package of its own where Node has SQLite built in.
// Needs curl; `dig` is run if it is there. Ends with 1 at the first thing that is wrong.
import { strict as assert } from 'node:assert';
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DnsClient, type Seen } from '../harness/dns-client.ts';
import { freePort } from '../harness/free-port.ts';
import { findReadyLine } from '../harness/ready-line.ts';
import { environmentOf, findNode } from '../nodes/node-binary.ts';
import { formatMegabytes, measureFolder } from './installed-size.ts';
import { readReadmeCommands } from './readme-commands.ts';

/** Everything that npm installs, optional packages included. */
const MAX_INSTALLED_BYTES = 60_000_000;
/** The same on the disk, without the package that only Node before 22.16 needs. */
const MAX_DISK_BYTES = 60_000_000;
/** A start takes less than a second; a loaded machine gets the rest. */
const READY_TIMEOUT_MS = 60_000;
/** The oldest Node with long-term support whose SQLite serves. */
const BUILT_IN_SQLITE_MAJOR = '24';

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'zonewright-package-'));
const prefix = join(folder, 'prefix');
const installed = join(prefix, 'lib', 'node_modules', 'zonewright');
const sqlitePackage = join(installed, 'node_modules', '@photostructure');
const running = new Set<ChildProcess>();

try {
  const archive = run('npm', ['pack', '--silent', '--pack-destination', folder], root)
    .trim()
    .split('\n')
    .at(-1);
  run('npm', [
    'install',
    '--global',
    '--prefix',
    prefix,
    '--no-audit',
    '--no-fund',
    join(folder, archive ?? ''),
  ]);
  checkSize();
  await useAsReadmeSays(process.execPath);
  rmSync(sqlitePackage, { recursive: true, force: true });
  await useAsReadmeSays(findNode(BUILT_IN_SQLITE_MAJOR));
  if (Number(process.versions.node.split('.')[0]) < 22) checkRefusalWithoutSqlite();
  say('the package works');
} finally {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}

function checkSize(): void {
  const all = measureFolder(prefix);
  say(`installed: ${formatMegabytes(all.bytes)}, ${formatMegabytes(all.diskBytes)} on the disk`);
  assert.ok(all.bytes < MAX_INSTALLED_BYTES, 'the installed package is too large');
  const diskBytes = all.diskBytes - measureFolder(sqlitePackage).diskBytes;
  say(`without the SQLite for Node 20: ${formatMegabytes(diskBytes)} on the disk`);
  assert.ok(diskBytes < MAX_DISK_BYTES, 'the installed package takes too much of the disk');
}

async function useAsReadmeSays(node: string): Promise<void> {
  const version = run(node, ['--version']).trim();
  const home = mkdtempSync(join(folder, 'home-'));
  const [httpPort, dnsPort] = [await freePort(), await freePort()];
  const http = `127.0.0.1:${httpPort}`;
  const env: NodeJS.ProcessEnv = {
    PATH: `${join(prefix, 'bin')}:${environmentOf(node).PATH ?? ''}`,
    HOME: home,
    ZONEWRIGHT_HTTP: http,
    ZONEWRIGHT_DNS: `127.0.0.1:${dnsPort}`,
    ZONEWRIGHT_URL: `http://${http}`,
  };
  const { child, startMs } = await startServer(home, env);
  const commands = withoutMissingDig(readReadmeCommands(http, dnsPort), env);
  const said = run('sh', ['-eux', '-c', commands], home, env);
  assert.match(said, /example\.net/, said);
  assert.match(run('zonewright', ['domain', 'list'], home, env), /example\.com[^]*example\.net/);
  assert.match(String(await queryMailServer(dnsPort)), /mail\.example\.com/);
  for (const path of ['/docs', '/docs/static/swagger-ui-bundle.js', '/v2/openapi.json'])
    assert.equal((await fetch(`http://${http}${path}`)).status, 200, path);
  assert.equal(await stopServer(child), 0);
  say(`Node ${version}: the README's commands work, ready after ${Math.round(startMs)} ms`);
}

async function startServer(
  home: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly child: ChildProcess; readonly startMs: number }> {
  const begunMs = performance.now();
  const child = spawn('zonewright', ['serve'], { cwd: home, env, stdio: ['ignore', 'ignore', 'pipe'] });
  running.add(child);
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (log += text));
  while (findReadyLine(log) === undefined) {
    assert.equal(child.exitCode, null, `the server ended:\n${log}`);
    assert.ok(performance.now() - begunMs < READY_TIMEOUT_MS, `the server is not ready:\n${log}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  return { child, startMs: performance.now() - begunMs };
}

function stopServer(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once('exit', (code) => {
      running.delete(child);
      resolve(code);
    });
    child.kill('SIGTERM');
  });
}

/** Without the optional package, Node 20 has no SQLite: one sentence says so. */
function checkRefusalWithoutSqlite(): void {
  const home = mkdtempSync(join(folder, 'home-'));
  const env = { PATH: `${join(prefix, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`, HOME: home };
  const { status, stderr } = spawnSync('zonewright', ['serve'], { cwd: home, env, encoding: 'utf8' });
  assert.equal(status, 1, stderr);
  assert.match(stderr, /^zonewright: .*SQLite.*\n$/i);
  say(stderr.trim());
}

async function queryMailServer(port: number): Promise<Seen> {
  const client = new DnsClient(`127.0.0.1:${port}`);
  try {
    return await client.look('example.com', 'MX');
  } finally {
    client.close();
  }
}

function withoutMissingDig(commands: string, env: NodeJS.ProcessEnv): string {
  const hasDig = spawnSync('sh', ['-c', 'command -v dig'], { env }).status === 0;
  return hasDig ? commands : commands.replaceAll(/^dig .*$/gm, '');
}

function run(command: string, args: readonly string[], cwd = folder, env = process.env): string {
  return execFileSync(command, args, { cwd, env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
