import type { NewKeyJson } from '../../../src/contract/key-shape.ts';
import { Band } from '../parts/band.tsx';
import { Button } from '../parts/button.tsx';
import { copyText } from '../parts/toasts.tsx';
import { text } from '../text/en.ts';

/** A new key, large, with the only chance to copy it. */
export function ShownKey({ made: { key, summary } }: { readonly made: NewKeyJson }) {
  return (
    <>
      <Band kind="warning" title={text.keys.once}>
        <p>{text.keys.onceWhy}</p>
      </Band>
      <output className="secret mono">{key}</output>
      <div className="line">
        <Button kind="primary" onClick={() => void copyText(key)}>
          {text.keys.copy}
        </Button>
      </div>
      <p>{summary}.</p>
    </>
  );
}
