import { defineConfig } from 'vite';

// `build/build-console.ts` runs it and compresses what comes out. For work on the console: `npm run console`, beside a service on
// the default port.
export default defineConfig({
  root: import.meta.dirname,
  build: {
    outDir: '../dist/console',
    emptyOutDir: true,
    target: ['chrome123', 'firefox121', 'safari17.5'],
    sourcemap: false,
    // The policy for content refuses `data:` scripts and styles.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1000,
    reportCompressedSize: false,
    rolldownOptions: {
      onLog(level, log, handle) {
        // Base UI says which modules are for browsers; here, all are.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
  server: { port: 5173, proxy: { '/v2': { target: 'http://127.0.0.1:8080' } } },
});
