/** Saving and loading a database. */
export { damaged } from './file-format.js';
export { fromPortable, toPortable } from './portable.js';
export { loadCatalog, loadSaved, saveCatalog } from './save.js';
export { loadCircuit, saveCircuit, savedCircuit } from './saved-circuit.js';
