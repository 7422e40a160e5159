// Apache Libcloud's Vultr DNS driver (version 2 of the API), pointed at the service with its arguments `host`, `port`
// and `secure`.

import { openClientBridge } from '../client-bridge.ts';
import { lifeCycleSuite } from '../life-cycle.ts';
import { cleanEnvironment } from '../run-program.ts';

const BRIDGE = new URL('libcloud/bridge.py', import.meta.url).pathname;

export const libcloudSuite = lifeCycleSuite('libcloud', (bench, key) =>
  Promise.resolve(
    openClientBridge({
      command: '/usr/bin/python3',
      args: ['-B', BRIDGE],
      env: cleanEnvironment({ VULTR_API_KEY: key, VULTR_API_PORT: String(bench.tap.port) }),
      knowsSoa: false,
    }),
  ),
);
