import './style/tokens.css';
import './style/base.css';
import './style/controls.css';
import './style/floating.css';
import './style/layout.css';
import { CSPProvider } from '@base-ui/react/csp-provider';
import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { CrashGuard } from './parts/crash-guard.tsx';
import { queryClient } from './service/query-client.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root');

createRoot(root).render(
  <StrictMode>
    <CSPProvider disableStyleElements>
      <QueryClientProvider client={queryClient}>
        <CrashGuard>
          <App />
        </CrashGuard>
      </QueryClientProvider>
    </CSPProvider>
  </StrictMode>,
);
