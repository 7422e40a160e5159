/** Vite takes styles out of the modules and links them from the page. */
declare module '*.css';
