// Lexicon's command line. It has no setting for the base address of this provider, so it requests
// https://api.vultr.com and reaches the service through HTTPS_PROXY.

import { expectAnswers, expectStatus } from '../dig.ts';
import { expectEqual, expectMatch } from '../expect.ts';
import { BULK_DOMAIN, bulkNames } from '../fixtures.ts';
import { runProgram } from '../run-program.ts';
import type { Bench, Suite } from '../suite.ts';

/**
 * Lexicon splits names with the public suffix list, which does not contain `.example`. The name sorts after the
 * fillers, so that lexicon must read several pages.
 */
const DOMAIN = 'zonewright-lexicon.net';
const CHALLENGE = 'XKrxpRBosdIKFzxW_CT3KLZNf6q0HG9i01zxXp5CPBs';

interface ListedRecord {
  readonly type: string;
  readonly name: string;
  readonly content: string;
  readonly ttl: number;
}

export const lexiconSuite: Suite = {
  name: 'lexicon',
  run: async (runCase, bench) => {
    const { api, dig } = bench;
    const lexicon = createLexicon(bench);
    await api.mustSend('POST', '/v2/domains', { domain: DOMAIN });
    const challenge = `_acme-challenge.${DOMAIN}`;

    await runCase('create records of every type it knows', async () => {
      for (const [type, name, content, answer] of lexiconRecords()) {
        await lexicon('create', DOMAIN, type, '--name', name, '--content', content, '--ttl', '300');
        await expectAnswers(dig, `${name}.${DOMAIN}`.replace(/^@\./, ''), type, [answer]);
      }
      return `${lexiconRecords().length} records, each answered at once`;
    });
    await runCase('create two challenges at one name, and each again', async () => {
      for (const content of [CHALLENGE, 'second', CHALLENGE, 'second'])
        await lexicon('create', DOMAIN, 'TXT', '--name', challenge, '--content', content, '--ttl', '300');
      await expectAnswers(dig, challenge, 'TXT', [`"${CHALLENGE}"`, '"second"']);
      return 'two TXT records, no doubles';
    });
    await runCase('list by type and name', async () => {
      const listed = await list(lexicon, DOMAIN, 'TXT', '--name', challenge);
      expectEqual(listed.map(({ content }) => content).sort(), [CHALLENGE, 'second'], 'listed contents');
      return JSON.stringify(listed[0]);
    });
    await runCase('update a record', async () => {
      await lexicon('update', DOMAIN, 'A', '--name', 'www', '--content', '192.0.2.99');
      await expectAnswers(dig, `www.${DOMAIN}`, 'A', ['192.0.2.99']);
      return '192.0.2.99';
    });
    await runCase('delete one challenge, then the other, then once more', async () => {
      await lexicon('delete', DOMAIN, 'TXT', '--name', challenge, '--content', CHALLENGE);
      await expectAnswers(dig, challenge, 'TXT', ['"second"']);
      await lexicon('delete', DOMAIN, 'TXT', '--name', challenge);
      await expectStatus(dig, challenge, 'TXT', 'NXDOMAIN');
      await lexicon('delete', DOMAIN, 'TXT', '--name', challenge);
      return 'one left, then NXDOMAIN';
    });
    await runCase('fail for a domain that is not there', async () => {
      const { code, text } = await lexicon.attempt('list', 'zonewright-nobody.net', 'A');
      expectEqual(code === 0, false, `it succeeded: ${text}`);
      expectMatch(text, /Domain not found/, 'what it says');
      return 'Domain not found';
    });
    await runCase('list a domain of many pages', async () => {
      const names = (await list(lexicon, BULK_DOMAIN, 'A')).map(({ name }) => name.split('.')[0]);
      expectEqual(names.sort(), bulkNames(), 'all names, each once');
      return `${names.length} records`;
    });
  },
};

/** All types of its command line except NS, SOA and LOC: type, name, content for lexicon, and dig's output. */
function lexiconRecords(): [string, string, string, string][] {
  return [
    ['A', 'www', '192.0.2.10', '192.0.2.10'],
    ['AAAA', 'www', '2001:db8::10', '2001:db8::10'],
    ['CNAME', 'alias', `www.${DOMAIN}`, `www.${DOMAIN}.`],
    ['TXT', 'text', 'v=spf1 -all', '"v=spf1 -all"'],
    ['SRV', '_sip._tcp', `5 5060 sip.${DOMAIN}`, `0 5 5060 sip.${DOMAIN}.`],
    ['MX', 'post', `mail.${DOMAIN}`, `0 mail.${DOMAIN}.`],
  ];
}

interface Lexicon {
  (...args: readonly string[]): Promise<string>;
  attempt(...args: readonly string[]): Promise<{ code: number | null; text: string }>;
}

/** Calls `lexicon vultr <args>`; fails with its output if it fails. */
function createLexicon({ gateway, service, folder }: Bench): Lexicon {
  const run = (args: readonly string[]) =>
    runProgram('lexicon', ['vultr', ...args], {
      cwd: folder,
      env: gateway.environment({ HOME: folder, LEXICON_VULTR_AUTH_TOKEN: service.key }),
    });
  const lexicon = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await run(args);
    if (code !== 0) throw new Error(`lexicon ${args.join(' ')} exited with ${code}:\n${stdout}${stderr}`);
    return stdout;
  };
  return Object.assign(lexicon, {
    attempt: async (...args: readonly string[]) => {
      const { code, stdout, stderr } = await run(args);
      return { code, text: stdout + stderr };
    },
  });
}

async function list(lexicon: Lexicon, ...args: readonly string[]): Promise<ListedRecord[]> {
  return JSON.parse(await lexicon('list', ...args, '--output', 'JSON')) as ListedRecord[];
}
