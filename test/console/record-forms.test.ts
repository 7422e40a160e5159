import { expect, test } from 'vitest';
import { hasForm, splitData } from '../../console/src/records/data-fields.ts';
import { recordTypes } from '../../src/dns/rdata/record-type-registry.ts';
import { openConsole } from './console-page.ts';
import { apply, openRecords, review } from './record-pages.ts';

/* Each record type that customers may have, through its form. */

const here = await openConsole();
const types = recordTypes.filter(({ serviceOwned }) => serviceOwned !== true);

test('each type has a form, whose fields make its record', async () => {
  const { page, domain } = await openRecords(here, []);
  const editor = page.getByRole('dialog', { name: 'New record' });
  for (const [index, type] of types.entries()) {
    await page.getByRole('button', { name: '+ Record' }).click();
    await editor.getByLabel('Type', { exact: true }).selectOption(type.mnemonic);
    await editor.getByLabel('Name', { exact: true }).fill(nameOf(type.mnemonic));
    const fields = hasForm(type) ? splitData(type, type.example) : [type.example];
    for (const [at, value] of fields.entries())
      await editor.locator('[name=record-data]').nth(at).fill(value);
    if (hasForm(type)) expect(await editor.locator('[name=record-raw]').inputValue()).toBe(type.example);
    await editor.getByRole('button', { name: 'Stage', exact: true }).click();
    await page.getByText(index === 0 ? '1 change staged' : `${index + 1} staged`).waitFor();
  }
  await review(page);
  await apply(page, types.length);
  await page.getByText(`${types.length} changes are applied.`).waitFor();
  const { json } = await here.service.http.get(`/v2/domains/${domain}/records?per_page=500`);
  const made = json.records
    ?.filter(({ name }) => name.startsWith('of-'))
    .map(({ name, type }) => `${name} ${type}`);
  expect(made?.sort()).toEqual(types.map(({ mnemonic }) => `${nameOf(mnemonic)} ${mnemonic}`).sort());
});

function nameOf(mnemonic: string): string {
  return `of-${mnemonic.toLowerCase()}`;
}
