import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Band } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { ShowRequest } from '../parts/show-request.tsx';
import { useTitle } from '../parts/use-title.ts';
import { WriteProblem } from '../proof/write-problem.tsx';
import { service } from '../service/service-client.ts';
import { text } from '../text/en.ts';
import { bodyOfKey, commandOfKey, emptyKey, isIncomplete } from './key-draft.ts';
import { KeyFields } from './key-fields.tsx';
import { KeySummary } from './key-summary.tsx';
import { ShownKey } from './shown-key.tsx';
import { reloadKeys, useMayManageKeys } from './use-keys.ts';

export function NewKeyPage() {
  useTitle(text.newKey.title);
  return (
    <>
      <div className="head">
        <h1>{text.newKey.title}</h1>
        <Link className="button" href="/keys">
          {text.back}
        </Link>
      </div>
      {useMayManageKeys() ? <NewKey /> : <Band title={text.keys.ownersOnly} />}
    </>
  );
}

/** The form, and then, in its place, the key. */
function NewKey() {
  const [draft, setDraft] = useState(emptyKey);
  const creation = useMutation({
    mutationFn: () => service.keys.create(bodyOfKey(draft, Date.now())),
    onSuccess: reloadKeys,
  });
  if (creation.data !== undefined)
    return (
      <div className="stack narrow">
        <h2>{text.keys.made(creation.data.label)}</h2>
        <ShownKey made={creation.data} />
        <div className="line">
          <Link className="button" href="/keys">
            {text.keys.toKeys}
          </Link>
        </div>
      </div>
    );
  const body = bodyOfKey(draft, Date.now());
  const unable = isIncomplete(draft) ? text.newKey.incomplete : undefined;
  return (
    <form
      className="stack narrow"
      onSubmit={(event) => {
        event.preventDefault();
        if (unable === undefined && !creation.isPending) creation.mutate();
      }}
    >
      <KeyFields draft={draft} onDraft={setDraft} />
      <KeySummary body={unable === undefined ? body : undefined} />
      <WriteProblem write={creation} />
      <ShowRequest request={{ method: 'POST', path: '/keys', body }} command={commandOfKey(body)} />
      <div className="line">
        <Button kind="primary" type="submit" isBusy={creation.isPending} unable={unable}>
          {text.newKey.create}
        </Button>
      </div>
    </form>
  );
}
