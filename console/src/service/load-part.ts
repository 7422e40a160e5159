import { ApiError } from '../../../src/client/zonewright-client.ts';
import { service } from './service-client.ts';

/** A file of the console could not be loaded, and loading the page again has not helped, or would not. */
export class MissingPartError extends Error {
  override readonly name = 'MissingPartError';
}

/**
 * Loads a part of the console. Its file is gone after an upgrade of the service: the page is loaded again then, once, because the new
 * one has its own.
 */
export async function loadPart<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    const part = await load();
    marks.forget(name);
    return part;
  } catch (error) {
    // Loading the page again without a connection would lose it.
    if (!navigator.onLine) {
      await new Promise((resolve) => addEventListener('online', resolve, { once: true }));
      return loadPart(name, load);
    }
    if (!(await isServiceThere()) || !marks.set(name))
      throw new MissingPartError(error instanceof Error ? error.message : String(error), { cause: error });
    location.reload();
    return new Promise(() => undefined);
  }
}

/** Whether the service answers, and not only a proxy before it. */
async function isServiceThere(): Promise<boolean> {
  try {
    await service.session.get();
    return true;
  } catch (error) {
    return error instanceof ApiError && error.code !== undefined;
  }
}

/** Which parts the page has been loaded again for. They outlive the page, and end with its window. */
const marks = {
  /** Returns false if it was set already, or cannot be kept. */
  set: (name: string): boolean => {
    try {
      if (sessionStorage.getItem(keyOf(name)) !== null) return false;
      sessionStorage.setItem(keyOf(name), '');
      return true;
    } catch {
      return false;
    }
  },
  forget: (name: string): void => {
    try {
      sessionStorage.removeItem(keyOf(name));
    } catch {
      // It was not kept.
    }
  },
};

function keyOf(name: string): string {
  return `loaded again: ${name}`;
}
