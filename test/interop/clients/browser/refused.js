import { createClient } from '/dist/client/zonewright-client.js';

/** The service must not be readable from this origin. */
export async function work(url, key) {
  try {
    for await (const { domain } of createClient({ url, key, sleep: () => undefined }).domains.list())
      return domain;
    return 'an empty list';
  } catch (error) {
    return error.name;
  }
}
