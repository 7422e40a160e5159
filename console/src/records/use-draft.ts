import { useEffect, useMemo, useState } from 'react';
import { useSession } from '../service/session.ts';
import { createValueStore, useStored, type ValueStore } from '../service/value-store.ts';
import { emptyDraft, type Draft } from './draft.ts';
import { readDraft, writeDraft, type DraftPlace } from './draft-store.ts';

/** Undefined: it is being read. */
type HeldDraft = ValueStore<Draft | undefined>;

const held = new Map<string, HeldDraft>();

/** Tells the other windows of this browser, which show the same draft. */
const channel = new BroadcastChannel('drafts');
channel.onmessage = ({ data }: MessageEvent<DraftPlace>) => {
  const store = held.get(keyOf(data));
  if (store !== undefined) void readDraft(data).then(store.set, () => undefined);
};

function keyOf({ user, account, domain }: DraftPlace): string {
  return `${user} ${account} ${domain}`;
}

export interface DraftEditor {
  /** Undefined: it is being read. */
  readonly draft: Draft | undefined;
  readonly change: (edit: (draft: Draft) => Draft) => void;
  /** The browser did not keep the draft: it is gone when the page is closed. */
  readonly failure: unknown;
}

/** The staged changes of a domain: the same on all pages, kept at every step. */
export function useDraft(domain: string): DraftEditor {
  const { session, account } = useSession();
  const user = session.user.id;
  const accountId = account?.id ?? '';
  const place = useMemo(() => ({ user, account: accountId, domain }), [user, accountId, domain]);
  const [failure, setFailure] = useState<unknown>();
  const store = useMemo(() => holdDraft(place), [place]);
  useEffect(() => {
    if (store.get() !== undefined) return;
    readDraft(place).then(
      (draft) => store.set(store.get() ?? draft),
      (error: unknown) => {
        setFailure(error);
        store.set(store.get() ?? emptyDraft);
      },
    );
  }, [store, place]);
  const change = (edit: (draft: Draft) => Draft): void => {
    const next = edit(store.get() ?? emptyDraft);
    store.set(next);
    writeDraft(place, next).then(() => channel.postMessage(place), setFailure);
  };
  return { draft: useStored(store), change, failure };
}

function holdDraft(place: DraftPlace): HeldDraft {
  const key = keyOf(place);
  const store = held.get(key) ?? createValueStore<Draft | undefined>(undefined);
  held.set(key, store);
  return store;
}

let lastKey = 0;

/** The key of a new record in a draft. */
export function newDraftKey(): string {
  return `new-${Date.now().toString(36)}-${++lastKey}`;
}
