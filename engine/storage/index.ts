/** Saving and loading a database. */
export { loadCatalog, saveCatalog } from './save.js';
