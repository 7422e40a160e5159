import { useEffect, useState } from 'react';
import { Dialog } from '../parts/dialog.tsx';
import { Button } from '../parts/button.tsx';
import { isWriting } from '../parts/search-input.tsx';
import { singleKeys } from '../parts/single-keys.ts';
import { text } from '../text/en.ts';

/** The list of keys, which `?` shows. */
export function KeyList() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => {
      if (event.key === '?' && singleKeys.get() && !isWriting(event.target)) setOpen(true);
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
  return (
    <Dialog title={text.records.keysTitle} isOpen={isOpen} onClose={() => setOpen(false)}>
      <dl className="facts">
        {text.records.keyList.map(([keys, meaning]) => (
          <div key={keys} className="pair">
            <dt className="mono">{keys}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <div className="actions">
        <Button onClick={() => setOpen(false)}>{text.close}</Button>
      </div>
    </Dialog>
  );
}
