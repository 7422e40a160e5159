import type { ReactNode } from 'react';
import { WaitBand } from '../parts/wait-band.tsx';
import { text } from '../text/en.ts';

/** The frame of the pages before there is a session. */
export function Gate({ children }: { readonly children: ReactNode }) {
  return (
    <main className="gate">
      <div className="gate-card">
        <div className="brand">
          <img src="/favicon.svg" alt="" />
          {text.product}
        </div>
        <WaitBand />
        {children}
      </div>
    </main>
  );
}
