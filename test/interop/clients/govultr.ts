// govultr, the Go library behind terraform, external-dns, dnscontrol and lego, from Debian's source package, pointed
// at the service with SetBaseURL.

import { join } from 'node:path';
import { openClientBridge } from '../client-bridge.ts';
import { lifeCycleSuite } from '../life-cycle.ts';
import { cleanEnvironment, runProgram } from '../run-program.ts';
import type { Bench } from '../suite.ts';

const BRIDGE_SOURCE = new URL('govultr/bridge.go', import.meta.url).pathname;

export const govultrSuite = lifeCycleSuite('govultr', async (bench, key) =>
  openClientBridge({
    command: await builtBridge(bench),
    args: [],
    env: cleanEnvironment({ VULTR_API_KEY: key, VULTR_API_URL: bench.tap.url }),
    knowsSoa: true,
  }),
);

let built: Promise<string> | undefined;

function builtBridge(bench: Bench): Promise<string> {
  return (built ??= buildBridge(bench.folder));
}

/** Compiles in GOPATH mode against /usr/share/gocode, so that nothing is downloaded. */
async function buildBridge(folder: string): Promise<string> {
  const binary = join(folder, 'govultr-bridge');
  const { code, stdout, stderr } = await runProgram('go', ['build', '-o', binary, BRIDGE_SOURCE], {
    cwd: folder,
    env: cleanEnvironment({
      HOME: folder,
      GOPATH: '/usr/share/gocode',
      GOCACHE: join(folder, 'go-cache'),
      GO111MODULE: 'off',
      CGO_ENABLED: '0',
    }),
  });
  if (code !== 0) throw new Error(`go build failed:\n${stdout}${stderr}`);
  return binary;
}
