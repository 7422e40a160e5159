import { existsSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createDomain, createRecord, listOwnRecords, postRecord } from '../harness/fixtures.ts';
import { freePort } from '../harness/free-port.ts';
import { HttpClient, Unanswered } from '../harness/http-client.ts';
import { findChild, processFamily, type ChildName } from '../harness/process-family.ts';
import { makeDataFolder, settingsFor, startProgram, startService, type Service } from '../harness/service.ts';

/*
 * HTTP and DNS are two processes: neither needs the other to do what it can do alone, and together they keep rule 35.
 * test/kill/kill-children.test.ts kills them under writers.
 */

async function start(settings: Record<string, string> = {}, data?: string): Promise<Service> {
  const service = await startService({ settings, ...(data === undefined ? {} : { data }) });
  onTestFinished(async () => {
    // A stopped process would not see that its parent ends.
    for (const pid of processFamily(service.pid)) signal(pid, 'SIGCONT');
    await service.stop();
  });
  return service;
}

function signal(pid: number | undefined, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, name);
  } catch {
    // It has ended.
  }
}

/** Sends a signal to one of the two processes, and returns its id. */
function hit(service: Service, child: ChildName, name: NodeJS.Signals): number {
  const pid = findChild(service.pid, child);
  if (pid === undefined) throw new Error(`there is no process ${child}`);
  process.kill(pid, name);
  return pid;
}

/** Every query must be answered at once, also the one that arrives while nobody listens. */
const patient = { attempts: 1, timeoutMs: 30_000 };

/** Asks until `work` is done; returns the number of correct answers and everything else that came back. */
async function askDuring(service: Service, domain: string, work: () => Promise<void>) {
  const done = new AbortController();
  let right = 0;
  const wrong: unknown[] = [];
  const asking = (async () => {
    while (!done.signal.aborted) {
      const seen = await service.dns.look(domain, 'A', patient).catch((error: unknown) => error);
      if (JSON.stringify(seen) === '["192.0.2.1"]') right++;
      else wrong.push(seen);
    }
  })();
  await work().finally(() => done.abort());
  await asking;
  return { right, wrong };
}

async function readiness(service: Service): Promise<number> {
  return (await service.http.get('/readyz', { key: null })).status;
}

/** Writes until a write is answered 201; a refused or unanswered one is sent again. */
async function writeUntilDone(service: Service, domain: string, name: string): Promise<void> {
  await expect
    .poll(async () => {
      const reply = await postRecord(service, domain, { name }).catch((error: unknown) => error);
      if (reply instanceof Unanswered) return 0;
      if (reply instanceof Error) throw reply;
      return [200, 201].includes((reply as { status: number }).status) ? 201 : 0;
    })
    .toBe(201);
}

test('the service is a parent and two children, and says so once', async () => {
  const service = await start();
  expect(processFamily(service.pid)).toHaveLength(3);
  const lines = service.output().split('\n');
  const ready = lines.filter((line) => line.includes('"msg":"ready"'));
  expect(ready).toHaveLength(1);
  expect(JSON.parse(ready[0])).toMatchObject({ pid: service.pid, dns: [service.dnsAddress] });
});

test('DNS is answered while the HTTP process is stopped, killed and started again', async () => {
  const service = await start();
  const domain = await createDomain(service, undefined, '192.0.2.1');
  const { right, wrong } = await askDuring(service, domain, async () => {
    const stopped = hit(service, 'http', 'SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 300));
    signal(stopped, 'SIGKILL');
    await writeUntilDone(service, domain, 'after');
  });
  expect(wrong).toEqual([]);
  expect(right).toBeGreaterThan(10);
  expect(await service.dns.look(`after.${domain}`, 'A')).toEqual(['192.0.2.1']);
  await expect.poll(() => readiness(service)).toBe(200);
});

test('queries that arrive while the nameserver process is away wait for its successor', async () => {
  const service = await start();
  const domain = await createDomain(service, undefined, '192.0.2.1');
  for (let round = 0; round < 3; round++) {
    hit(service, 'nameserver', 'SIGKILL');
    expect(await service.dns.look(domain, 'A', patient)).toEqual(['192.0.2.1']);
    expect((await service.dns.ask(domain, 'A', { tcp: true })).answers).toHaveLength(1);
  }
});

test('HTTP connections that arrive while the HTTP process is away wait for its successor', async () => {
  const service = await start();
  const domain = await createDomain(service);
  hit(service, 'http', 'SIGKILL');
  const late = new HttpClient(service.httpAddress, service.key);
  expect((await late.get(`/v2/domains/${domain}`)).status).toBe(200);
  late.close();
});

test('while the nameserver process is stopped, writes are refused and nothing is committed', async () => {
  const service = await start();
  const domain = await createDomain(service);
  const stopped = hit(service, 'nameserver', 'SIGSTOP');
  await expect.poll(() => readiness(service)).toBe(503);
  const replies = await Promise.all(['a', 'b', 'c'].map((name) => postRecord(service, domain, { name })));
  expect(replies.map(({ status }) => status)).toEqual([503, 503, 503]);
  expect(await listOwnRecords(service, domain)).toEqual([]);
  signal(stopped, 'SIGCONT');
  await writeUntilDone(service, domain, 'd');
  expect(await service.dns.look(`d.${domain}`, 'A')).toEqual(['192.0.2.1']);
  expect((await listOwnRecords(service, domain)).map(({ name }) => name)).toEqual(['d']);
});

test('a write that was committed when the nameserver process ended is answered when its successor serves it', async () => {
  const service = await start();
  const domain = await createDomain(service);
  for (let round = 0; round < 5; round++) {
    const name = `n${round}`;
    hit(service, 'nameserver', 'SIGSTOP');
    const write = postRecord(service, domain, { name }).catch((error: unknown) => error);
    await expect
      .poll(async () => (await listOwnRecords(service, domain)).map((record) => record.name))
      .toContain(name);
    hit(service, 'nameserver', 'SIGKILL');
    expect(await write).toMatchObject({ status: 201 });
    expect(await service.dns.look(`${name}.${domain}`, 'A')).toEqual(['192.0.2.1']);
  }
});

test('if the parent is killed, its children end, and a new start works', async () => {
  const [http, dns] = [await freePort(), await freePort()];
  const settings = { ZONEWRIGHT_HTTP: `127.0.0.1:${http}`, ZONEWRIGHT_DNS: `127.0.0.1:${dns}` };
  const first = await startService({ settings });
  const domain = await createDomain(first, undefined, '192.0.2.1');
  const family = processFamily(first.pid);
  // Resolves when every process has closed its end of the log.
  await first.kill();
  expect(family.filter((pid) => existsSync(`/proc/${pid}/exe`))).toEqual([]);
  const second = await start(settings, first.data);
  expect(await second.dns.look(domain, 'A')).toEqual(['192.0.2.1']);
});

test('a second service on the same store is refused, and does the first no harm', async () => {
  const service = await start();
  const domain = await createDomain(service, undefined, '192.0.2.1');
  // Two services on one folder: the second is refused, and does no harm to the first.
  const second = startProgram(['serve'], settingsFor(service.data));
  expect(await second.ended()).toBe(1);
  expect(second.stderr()).toMatch(/^zonewright: another process is already running on the store in .*\n$/);
  expect(await service.dns.look(domain, 'A')).toEqual(['192.0.2.1']);
  await createRecord(service, domain, { name: 'still' });
});

test('a stop ends all processes with 0, at any moment of the start', async () => {
  const data = makeDataFolder();
  for (const delayMs of [0, 100, 250, 500, 900]) {
    const program = startProgram(['serve'], settingsFor(data));
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    program.signal('SIGTERM');
    // Null: the signal ended the process before its first line of code ran. `ended` waits for the children, too.
    expect([0, null], program.stderr()).toContain(await program.ended());
  }
});
