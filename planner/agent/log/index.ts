/** The log of a session: written as it happens, read back, resumed. */
export { LogError } from './log-error.js';
export { type ReadLog, readLog, readLogFile } from './read-log.js';
export { type ResumeOptions, replayLog, resume, sessionOf } from './resume.js';
export { type LogHead, policyDigest, SessionLog, type SessionLogOptions } from './session-log.js';
