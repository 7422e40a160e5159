import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSession } from '../service/session.ts';
import { createValueStore, useStored, type ValueStore } from '../service/value-store.ts';
import { emptyDraft, type Draft } from './draft.ts';
import { readDraft, updateDraft, type DraftPlace } from './draft-store.ts';

interface HeldDraft {
  /** Undefined: it is being read. */
  readonly shown: ValueStore<Draft | undefined>;
  /** Edits that are shown and not kept yet. */
  pending: number;
}

const held = new Map<string, HeldDraft>();

/** Tells the other windows of this browser, which show the same draft. */
const channel = new BroadcastChannel('drafts');
channel.onmessage = ({ data }: MessageEvent<DraftPlace>) => {
  const holder = held.get(placeKey(data));
  if (holder === undefined) return;
  readDraft(data).then(
    (draft) => showKept(holder, draft),
    () => undefined,
  );
};

/** The kept draft has the edits of all windows; those of this one that are still on their way would disappear for a moment. */
function showKept({ shown, pending }: HeldDraft, draft: Draft): void {
  if (pending === 0) shown.set(draft);
}

/** Names a place in the maps of this page. */
export function placeKey({ user, account, domain }: DraftPlace): string {
  return `${user} ${account} ${domain}`;
}

export interface DraftEditor {
  /** Undefined: it is being read. */
  readonly draft: Draft | undefined;
  /** @param edit may be called twice. Resolves when the browser keeps the result, or has failed to */
  readonly change: (edit: (draft: Draft) => Draft) => Promise<void>;
  /** The browser did not keep the draft: it is gone when the page is closed. */
  readonly failure: unknown;
}

/** The place of this user's drafts of a domain; the same object at each rendering. */
export function useDraftPlace(domain: string): DraftPlace {
  const { session, account } = useSession();
  const user = session.user.id;
  const accountId = account?.id ?? '';
  return useMemo(() => ({ user, account: accountId, domain }), [user, accountId, domain]);
}

/** The staged changes of a domain: the same on all pages, kept at every step. */
export function useDraft(domain: string): DraftEditor {
  const place = useDraftPlace(domain);
  const [failure, setFailure] = useState<unknown>();
  const holder = useMemo(() => holdDraft(place), [place]);
  const { shown } = holder;
  useEffect(() => {
    if (shown.get() !== undefined) return;
    readDraft(place).then(
      (draft) => shown.set(shown.get() ?? draft),
      (error: unknown) => {
        setFailure(error);
        shown.set(shown.get() ?? emptyDraft);
      },
    );
  }, [shown, place]);
  const change = useCallback(
    async (edit: (draft: Draft) => Draft): Promise<void> => {
      shown.set(edit(shown.get() ?? emptyDraft));
      holder.pending++;
      const kept = await updateDraft(place, edit).catch((error: unknown) => setFailure(error));
      holder.pending--;
      if (kept === undefined) return;
      showKept(holder, kept);
      channel.postMessage(place);
    },
    [holder, shown, place],
  );
  return { draft: useStored(shown), change, failure };
}

function holdDraft(place: DraftPlace): HeldDraft {
  const key = placeKey(place);
  const holder = held.get(key) ?? { shown: createValueStore<Draft | undefined>(undefined), pending: 0 };
  held.set(key, holder);
  return holder;
}

let lastKey = 0;

/** The key of a new record in a draft. */
export function newDraftKey(): string {
  return `new-${Date.now().toString(36)}-${++lastKey}`;
}
