/**
 * The files of Swagger UI that the reference page loads, with their media types. They come from a development package
 * and are copied into the build, because the package brings 15 MB of other packages that the service does not use.
 */
export const referencePageFiles: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'index.css': 'text/css; charset=utf-8',
  'favicon-32x32.png': 'image/png',
  'favicon-16x16.png': 'image/png',
  'swagger-ui-bundle.js': 'application/javascript; charset=utf-8',
};
