// kdig, an implementation independent of dig: reads the same answers, and tests what only kdig can do with
// connections.

import { LARGE_RECORDS, ZONE } from '../answers-zone.ts';
import { readDigOutput, rdataOf } from '../dig.ts';
import { expectEqual, expectMatch } from '../expect.ts';
import { runProgram } from '../run-program.ts';
import type { Suite } from '../suite.ts';

/** More queries than a server would answer on one connection by accident. */
const KEPT_OPEN_QUERIES = 20;

export const kdigSuite: Suite = {
  name: 'kdig',
  run: async (runCase, { dig }) => {
    const kdig = async (...args: readonly string[]): Promise<string> => {
      const { stdout, stderr } = await runProgram('kdig', [
        '@127.0.0.1',
        '-p',
        `${dig.port}`,
        '+timeout=20',
        ...args,
      ]);
      expectEqual(
        /WARNING(?!: truncated reply)|ERROR:|malformed/.test(stdout + stderr),
        false,
        `kdig ${args.join(' ')}\n${stdout}${stderr}`,
      );
      return stdout;
    };

    await runCase('over UDP', async () => {
      const { answer, flags } = readDigOutput(await kdig(`www.${ZONE}`, 'A'));
      expectEqual(rdataOf(answer, 'A'), ['192.0.2.1', '192.0.2.2'], 'answer');
      expectEqual(flags.includes('aa'), true, 'authoritative');
      return answer.join(', ');
    });
    await runCase('truncated, then over TCP', async () => {
      const { answer } = readDigOutput(await kdig(`large.${ZONE}`, 'TXT', '+bufsize=1232'));
      expectEqual(answer.length, LARGE_RECORDS, 'answers');
      return `${answer.length} TXT records`;
    });
    await runCase('many questions over one connection', async () => {
      const questions = Array.from({ length: KEPT_OPEN_QUERIES }, () => [
        `www.${ZONE}`,
        'A',
        '+tcp',
        '+keepopen',
      ]);
      const text = await kdig(...questions.flat());
      expectEqual(text.match(/status: NOERROR/g)?.length, KEPT_OPEN_QUERIES, text);
      const ports = new Set([...text.matchAll(/From 127\.0\.0\.1@(\d+)\(TCP\)/g)].map(([, port]) => port));
      expectEqual(ports.size, 1, `one nameserver answered all\n${text}`);
      return `${KEPT_OPEN_QUERIES} answers`;
    });
    await runCase('EDNS padding, cookie, NSID and client subnet', async () => {
      const text = await kdig(
        `www.${ZONE}`,
        'A',
        '+padding=128',
        '+cookie',
        '+nsid',
        '+subnet=2001:db8::/48',
      );
      expectMatch(text, /Version: 0; flags: [^;]*; UDP size: \d+ B/, 'EDNS comes back');
      expectEqual(rdataOf(readDigOutput(text).answer, 'A').length, 2, text);
      return 'answered as if they were not there, or understood';
    });
    await runCase('an unknown EDNS version', async () => {
      const { stdout } = await runProgram('kdig', [
        '@127.0.0.1',
        '-p',
        `${dig.port}`,
        `www.${ZONE}`,
        '+edns=7',
      ]);
      expectMatch(stdout, /ext-rcode: BADVERS|status: BADVERS/, stdout);
      return 'BADVERS';
    });
    await runCase('NXDOMAIN with SOA', async () => {
      const { status, authority } = readDigOutput(await kdig(`nothing.${ZONE}`, 'A'));
      expectEqual([status, rdataOf(authority, 'SOA').length], ['NXDOMAIN', 1], 'status and SOA records');
      return status;
    });
  },
};
