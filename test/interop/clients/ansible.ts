// Ansible's vultr.cloud collection, run as playbooks and pointed at the service with VULTR_API_ENDPOINT.

import { join } from 'node:path';
import { listKeys } from '../api.ts';
import { classicRecords } from '../classic-records.ts';
import { expectValidated } from '../delv.ts';
import { expectAnswers, expectStatus } from '../dig.ts';
import { expectEqual } from '../expect.ts';
import { cleanEnvironment, runProgram } from '../run-program.ts';
import type { Bench, Suite } from '../suite.ts';

const DOMAIN = 'ansible.example';

/**
 * Without `multiple` the module allows one record per name and type, so the MX record has a name of its own in the
 * playbook.
 */
const RECORDS = classicRecords(DOMAIN);

interface Recap {
  readonly ok: number;
  readonly changed: number;
  readonly failures: number;
  readonly unreachable: number;
}

export const ansibleSuite: Suite = {
  name: 'ansible',
  run: async (runCase, bench) => {
    const { api, dig } = bench;
    await runCase('a playbook creates a domain with all its records', async () => {
      const recap = await play(bench, 'domain.yml');
      await expectAnswers(dig, DOMAIN, 'A', ['192.0.2.1']);
      for (const { type, name, answer } of RECORDS)
        await expectAnswers(dig, name === '' ? DOMAIN : `${name}.${DOMAIN}`, type, [answer]);
      await expectAnswers(dig, `pool.${DOMAIN}`, 'A', ['192.0.2.31', '192.0.2.32', '192.0.2.33']);
      await expectAnswers(dig, `post.${DOMAIN}`, 'MX', [`10 mx1.${DOMAIN}.`, `20 mx2.${DOMAIN}.`]);
      return `${recap.changed} changed, ${RECORDS.length + 6} answers as written`;
    });
    await runCase('the same playbook again changes nothing', async () => {
      const recap = await play(bench, 'domain.yml');
      expectEqual(recap.changed, 0, 'changed tasks');
      return `${recap.ok} ok, 0 changed`;
    });
    await runCase('a playbook changes and removes records', async () => {
      const recap = await play(bench, 'changes.yml');
      expectEqual(recap.changed, 3, 'changed tasks');
      expectEqual((await dig(`www.${DOMAIN}`, 'A')).answer, [`www.${DOMAIN}. 600 IN A 192.0.2.99`], 'www');
      await expectAnswers(dig, `pool.${DOMAIN}`, 'A', ['192.0.2.31', '192.0.2.33']);
      await expectStatus(dig, `quoted.${DOMAIN}`, 'TXT', 'NXDOMAIN');
      return '3 changed, answered accordingly';
    });
    await runCase('and finds nothing to do the second time', async () => {
      const recap = await play(bench, 'changes.yml');
      expectEqual(recap.changed, 0, 'changed tasks');
      return `${recap.ok} ok, 0 changed`;
    });
    await runCase('a playbook signs the domain, and finds nothing to do the second time', async () => {
      expectEqual((await play(bench, 'signing.yml')).changed, 1, 'changed tasks at first');
      expectEqual((await play(bench, 'signing.yml')).changed, 0, 'changed tasks the second time');
      const about = {
        domain: DOMAIN,
        keys: await listKeys(api, DOMAIN),
        dnsPort: dig.port,
        folder: bench.folder,
      };
      return expectValidated(about, [DOMAIN, 'A'], [`www.${DOMAIN}`, 'A'], [`no.${DOMAIN}`, 'A']);
    });
    await runCase('a playbook that does not mention signing withdraws it, and breaks nothing', async () => {
      await play(bench, 'domain.yml');
      expectEqual((await play(bench, 'domain.yml')).changed, 0, 'changed tasks the second time');
      const { domain } = (await api.mustSend('GET', `/v2/domains/${DOMAIN}`)).body;
      expectEqual(domain?.dns_sec, 'disabled', 'dns_sec');
      const published = await listKeys(api, DOMAIN);
      expectEqual(published.length, 1, 'lines of a domain that is still signed');
      const about = { domain: DOMAIN, keys: published, dnsPort: dig.port, folder: bench.folder };
      const validated = await expectValidated(about, [`www.${DOMAIN}`, 'A']);
      await api.mustSend('PUT', `/v2/domains/${DOMAIN}?force=true`, { dns_sec: 'disabled' });
      return validated;
    });
    await runCase('a playbook removes the domain, twice', async () => {
      expectEqual((await play(bench, 'removal.yml')).changed, 1, 'changed tasks at first');
      await expectStatus(dig, DOMAIN, 'SOA', 'REFUSED');
      expectEqual((await play(bench, 'removal.yml')).changed, 0, 'changed tasks the second time');
      return 'REFUSED afterwards';
    });
  },
};

/** Runs one playbook and returns the recap of its host; fails with Ansible's output if a task fails. */
async function play({ tap, service, folder }: Bench, playbook: string): Promise<Recap> {
  const variables = JSON.stringify({
    domain: DOMAIN,
    records: RECORDS.map(({ type, name, readBack, ttl, priority }) => ({
      // Written as the service returns it, because the module compares text to detect changes.
      ...{ type, name, data: readBack, ttl },
      ...(priority === undefined ? {} : { priority }),
    })),
  });
  const { code, stdout, stderr } = await runProgram(
    'ansible-playbook',
    [
      '--inventory',
      'localhost,',
      '--extra-vars',
      variables,
      new URL(`ansible/${playbook}`, import.meta.url).pathname,
    ],
    { cwd: folder, env: ansibleEnvironment(folder, tap.url, service.key) },
  );
  const recap = code === 0 ? readRecap(stdout) : undefined;
  if (!recap || recap.failures + recap.unreachable > 0)
    throw new Error(`ansible-playbook ${playbook} exited with ${code}:\n${stdout}${stderr}`);
  return recap;
}

function ansibleEnvironment(folder: string, url: string, key: string): Record<string, string> {
  return cleanEnvironment({
    HOME: folder,
    VULTR_API_ENDPOINT: `${url}/v2`,
    VULTR_API_KEY: key,
    VULTR_API_RETRIES: '1',
    ANSIBLE_HOME: join(folder, 'ansible'),
    ANSIBLE_LOCAL_TEMP: join(folder, 'ansible/tmp'),
    ANSIBLE_REMOTE_TEMP: join(folder, 'ansible/tmp'),
    ANSIBLE_STDOUT_CALLBACK: 'json',
    ANSIBLE_PYTHON_INTERPRETER: '/usr/bin/python3',
    ANSIBLE_LOCALHOST_WARNING: 'false',
  });
}

function readRecap(stdout: string): Recap | undefined {
  const report = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { stats: Record<string, Recap> };
  return report.stats['localhost'];
}
