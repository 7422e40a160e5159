import { Component, type ReactNode } from 'react';
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
    return (
      <main className="gate">
        <div className="gate-card">
          <h1>{text.crash}</h1>
          <p>{text.crashWhy}</p>
          <pre className="code">{failure.message}</pre>
          <Button kind="primary" onClick={() => location.reload()}>
            {text.reload}
          </Button>
        </div>
      </main>
    );
  }
}
