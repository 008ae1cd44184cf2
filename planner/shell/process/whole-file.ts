/**
 * Files read and written as wholes. A file is replaced when its successor is complete, so that an error on
 * the way (a full disk, a power cut) leaves the old one as it was.
 */
import { open, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';

/**
 * Writes the file beside the old one first. What is no plain file (a pipe, a device) is written to as it is.
 */
export async function replaceFile(path: string, bytes: Uint8Array): Promise<void> {
  const target = await realpath(path).catch(() => path);
  const old = await stat(target).catch(() => undefined);
  if (old && !old.isFile()) {
    await writeFile(target, bytes);
    return;
  }
  const fresh = `${target}.${process.pid}.new`;
  try {
    await writeFile(fresh, bytes, { flush: true, ...(old && { mode: old.mode }) });
    await rename(fresh, target);
  } catch (error) {
    await rm(fresh, { force: true });
    throw error;
  }
}

/** The first bytes of a file. */
export async function readStart(path: string, length: number): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { bytesRead, buffer } = await file.read(new Uint8Array(length), 0, length, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Most bytes that are read at once. */
const step = 2 ** 30;

/** All bytes of a file, also of more than two gigabytes. */
export async function readWhole(path: string): Promise<Uint8Array> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    const bytes = new Uint8Array(size);
    let at = 0;
    while (at < size) {
      const { bytesRead } = await file.read(bytes, at, Math.min(step, size - at), at);
      if (bytesRead === 0) break;
      at += bytesRead;
    }
    return bytes.subarray(0, at);
  } finally {
    await file.close();
  }
}
