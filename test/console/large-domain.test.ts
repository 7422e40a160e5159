import { expect, test } from 'vitest';
import { openConsole, type Page } from './console-page.ts';
import { openRecords } from './record-pages.ts';

/* A domain of 100,000 records: all of them are in the grid, and only those in sight are in the document. */

const here = await openConsole();

const COUNT = 100_000;
/** On a busy machine. An idle one takes two seconds. */
const LOAD_MS = 60_000;
/** With those that the domain has from the start. */
const ALL = '100,003';
/** `aria-rowindex` of the last row: the headings are the first one. */
const LAST_ROW = 100_004;

async function openLargeDomain(): Promise<Page> {
  const { page, domain } = await openRecords(here);
  const lines = Array.from(
    { length: COUNT },
    (_, at) => `host${at} 300 IN A 10.0.${(at >> 8) & 255}.${at & 255}`,
  );
  const reply = await here.service.http.post(`/v2/domains/${domain}/zonefile`, lines.join('\n'));
  expect(reply.status).toBe(200);
  await page.reload();
  await page.getByText(`${ALL} records`).first().waitFor({ timeout: LOAD_MS });
  return page;
}

/** The row that has the focus; 0: the focus is outside the grid. */
function focusedRow(page: Page): Promise<number> {
  return page.evaluate<number>(
    "Number(document.activeElement.closest('[role=row]')?.getAttribute('aria-rowindex') ?? 0)",
  );
}

const page = await openLargeDomain();
const grid = page.getByRole('grid');
const filter = page.getByRole('searchbox');
const rowAt = (index: number) => grid.locator(`[role=row][aria-rowindex="${index}"]`);

test('the keyboard goes to the last of 100,000 records and back, and the focus stays while the wheel scrolls', async () => {
  expect(await grid.getAttribute('aria-rowcount')).toBe(String(LAST_ROW));
  await page.getByRole('rowheader').first().focus();
  await page.keyboard.press('Control+End');
  await expect.poll(() => focusedRow(page)).toBe(LAST_ROW);
  await page.keyboard.press('ArrowUp');
  await expect.poll(() => focusedRow(page)).toBe(LAST_ROW - 1);
  await page.keyboard.press('PageUp');
  await expect.poll(() => focusedRow(page)).toBe(LAST_ROW - 16);
  await page.keyboard.press('Control+Home');
  await expect.poll(() => focusedRow(page)).toBe(2);
  await grid.hover({ position: { x: 400, y: 200 } });
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 1_000_000);
      return rowAt(LAST_ROW).isVisible();
    })
    .toBe(true);
  expect(await focusedRow(page)).toBe(2);
  expect(await grid.getByRole('row').count()).toBeLessThan(100);
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => focusedRow(page)).toBe(3);
  await expect.poll(() => rowAt(3).isVisible()).toBe(true);
});

test('the filter counts all of 100,000 records at each key, and finds the last one', async () => {
  await page.keyboard.press('/');
  await page.keyboard.type('host9999');
  await page.getByText(`11 of ${ALL} records`).first().waitFor();
  await expect.poll(() => page.getByRole('rowheader').count()).toBe(11);
  await page.keyboard.type('9');
  await page.getByText(`1 of ${ALL} records`).first().waitFor();
  await expect.poll(() => page.getByRole('rowheader').allInnerTexts()).toEqual(['host99999']);
  await page.keyboard.press('Backspace');
  await page.getByText(`11 of ${ALL} records`).first().waitFor();
  await page.keyboard.press('Escape');
  await page.getByText(`${ALL} records`).first().waitFor();
  expect(await page.evaluate<string>('document.activeElement.type')).toBe('search');
});

test('all of 100,000 records are selected, and a filter says how many of them it hides', async () => {
  await page.getByRole('rowheader').first().focus();
  await page.keyboard.press('Control+a');
  await page.getByText(`${ALL} selected`).waitFor();
  await filter.fill('host9999');
  await page.getByText('11 selected').waitFor();
  await page.getByText('99,992 more are hidden by the filter').waitFor();
  await filter.fill('');
  await page.getByText(`${ALL} selected`).waitFor();
  await page.getByRole('rowheader').first().focus();
  await page.keyboard.press('Control+a');
  await expect.poll(() => page.getByText(/\d selected/).count()).toBe(0);
});
