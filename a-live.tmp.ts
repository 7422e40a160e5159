import { mkdtempSync, statSync, rmSync } from 'node:fs';
import { openSqliteStore } from './src/store/sqlite/sqlite-store.ts';
import { systemClock } from './src/base/clock.ts';
import { silentLog } from './src/base/log.ts';
import { StoreScene, newName, newRecord } from './src/store/store-scene.test-support.ts';
import { ZoneViews } from './src/operations/zone-views.ts';
const folder = mkdtempSync('/tmp/a-live-');
const store = await openSqliteStore({ folder, clock: systemClock, log: silentLog, logLimits: { longBytes: 16 * 2 ** 20 } });
const tenant = await new StoreScene(store).newAccount();
const { name } = await tenant.createDomain(newName(), Array.from({ length: 9000 }, (_, i) => newRecord(`h${i}`)));
const { name: other } = await tenant.createDomain(newName());
const views = new ZoneViews(store);
console.log('made');
let stop = false, exports_ = 0, refused = 0, searches = 0;
const exporter = async () => { while (!stop) { const v = await views.open(tenant.account.id, name); if (!v.ok) { refused++; continue; } for await (const s of v.value.slices()) { void s; await new Promise(r => setTimeout(r, 20)); } await v.value.close(); exports_++; } };
const searcher = async () => { while (!stop) { await store.searchRecords(tenant.account.id, { direction: 'after', key: null, limit: 100 }, { search: 'h1' }); searches++; } };
const all = [exporter(), exporter(), exporter(), searcher()];
let most = 0; const data = 'x'.repeat(60_000); let written = 0, shortened = 0, last = 0;
for (let i = 0; i < 80; i++) {
  await Promise.all(Array.from({ length: 10 }, (_, j) => tenant.create(other, newRecord(`r${i}-${j}`, 1, { data }))));
  const size = statSync(`${folder}/zonewright.db-wal`).size; if (size < last) shortened++; last = size;
  written += 10 * 60_000 * 2; most = Math.max(most, size);
  if (i % 10 === 0) console.log(i, (size/2**20).toFixed(1), { exports_, refused, searches });
}
stop = true; await Promise.all(all);
console.log({ mostMiB: most / 2 ** 20, writtenMiB: written / 2 ** 20, shortened, exports_, refused, searches });
await store.close(); rmSync(folder, { recursive: true });
