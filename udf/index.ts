export * from './adapters/index.js';
export * from './ask/index.js';
export * from './json-schema.js';
export * from './model/index.js';
export * from './scalar/index.js';
export * from './tool.js';
export * from './tool-result.js';
