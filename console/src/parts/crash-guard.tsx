import { Component, type ReactNode } from 'react';
import { MissingPartError } from '../service/load-part.ts';
import { text } from '../text/en.ts';
import { Button } from './button.tsx';

interface State {
  readonly failure: Error | undefined;
}

/** Shows a page with a way on if a component throws. */
export class CrashGuard extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { failure: undefined };

  static getDerivedStateFromError(failure: Error): State {
    return { failure };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === undefined) return this.props.children;
    const { title, why } = failure instanceof MissingPartError ? text.missingPart : text.crash;
    return (
      <main className="gate">
        <div className="gate-card">
          <h1>{title}</h1>
          <p>{why}</p>
          <pre className="code">{failure.message}</pre>
          <Button kind="primary" onClick={() => location.reload()}>
            {text.reload}
          </Button>
        </div>
      </main>
    );
  }
}
