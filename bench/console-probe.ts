/**
 * What `bench/console.ts` measures inside the page, as `window.probe`. Times are in milliseconds. It is a text, because only pages
 * have these objects.
 */
export const consoleProbe = `
window.probe = {
  /** Resolves when the frame of the moment is on the screen. */
  shown: () =>
    new Promise((resolve) =>
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve(performance.now());
        port2.postMessage(undefined);
      }),
    ),
  /** Resolves when the count of records is on the screen, with the time since the page was asked for. */
  async untilCount(words) {
    while (document.querySelector('.count')?.textContent !== words) await probe.shown();
    return probe.shown();
  },
  /** Notes from now on how long each key takes until its effect is on the screen, and how long the page computes without a pause. */
  watchKeys() {
    probe.keys = [];
    probe.tasks = [];
    addEventListener(
      'keydown',
      async ({ key, timeStamp }) => probe.keys.push({ key, ms: (await probe.shown()) - timeStamp }),
      true,
    );
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) probe.tasks.push(duration);
    }).observe({ type: 'longtask' });
  },
  /** Notes the times between frames until \`stopFrames\`. */
  startFrames() {
    probe.frames = [];
    let last;
    const note = (now) => {
      if (last !== undefined) probe.frames.push(now - last);
      last = now;
      probe.frame = requestAnimationFrame(note);
    };
    probe.frame = requestAnimationFrame(note);
  },
  stopFrames() {
    cancelAnimationFrame(probe.frame);
    return probe.frames;
  },
};
`;
