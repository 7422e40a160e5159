// Runs the script named in the page's address and sends its result.
const about = new URLSearchParams(location.search);
const say = (result) => fetch('/result', { method: 'POST', body: JSON.stringify(result) });
try {
  const { work } = await import(`/${about.get('script')}`);
  await say(await work(about.get('url'), about.get('key')));
} catch (error) {
  await say(`${error.name}: ${error.message}\n${error.stack}`);
}
