// Makes as many keys as the argument says; private-key.test.ts starts it as a process of its own.

import { openKeySecrets } from './key-secrets.ts';
import { createZoneKey } from './private-key.ts';

const secrets = openKeySecrets(['a'.repeat(43)]);
for (let count = 0; count < Number(process.argv[2]); count++) {
  createZoneKey({ id: String(count), algorithm: 13, createdAtSeconds: 0 }, secrets, []);
}
