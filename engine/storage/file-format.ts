/**
 * The container of a saved database: magic, version, then sections, each with its length and checksum.
 * Nothing in a section is looked at before its checksum is right, so a damaged file is an error that names
 * the place, never a crash or a wrong answer.
 *
 *     "ASSAYDB" version:u8 | (length:u32 crc:u32 bytes)* ; numbers little-endian
 */
import { AssayError } from '../../semiring/message/error.js';
import { crc32 } from './checksum.js';

const magic = new TextEncoder().encode('ASSAYDB');
export const version = 3;
const headerLength = magic.length + 1;
const sectionHeader = 8;

/** @throws AssayError `engine/too-large` where there is no memory for a file of that size */
export function joinSections(sections: readonly Uint8Array[]): Uint8Array {
  const total = sections.reduce((sum, section) => sum + sectionHeader + section.length, headerLength);
  const file = fileOf(total);
  const view = new DataView(file.buffer);
  file.set(magic);
  file[magic.length] = version;
  let at = headerLength;
  for (const section of sections) {
    view.setUint32(at, section.length, true);
    view.setUint32(at + 4, crc32(section), true);
    file.set(section, at + sectionHeader);
    at += sectionHeader + section.length;
  }
  return file;
}

function fileOf(bytes: number): Uint8Array {
  try {
    return new Uint8Array(bytes);
  } catch (error) {
    throw new AssayError(
      'engine/too-large',
      `the database cannot be saved: its file would have ${bytes} bytes, for which there is no memory`,
      { cause: error },
    );
  }
}

/** @throws AssayError `engine/bad-file` with the byte offset, `engine/file-version` */
export function splitSections(file: Uint8Array): Uint8Array[] {
  if (magic.some((byte, i) => file[i] !== byte)) throw damaged(0, 'this is no saved database');
  if (file[magic.length] !== version) {
    throw new AssayError(
      'engine/file-version',
      `the file has version ${file[magic.length]}; this program reads version ${version}`,
    );
  }
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const sections: Uint8Array[] = [];
  let at = headerLength;
  while (at < file.length) {
    if (at + sectionHeader > file.length) throw damaged(at, 'the file ends inside a section header');
    const length = view.getUint32(at, true);
    const start = at + sectionHeader;
    if (length > file.length - start)
      throw damaged(at, `a section of ${length} bytes reaches beyond the end of the file`);
    const section = file.subarray(start, start + length);
    if (crc32(section) !== view.getUint32(at + 4, true)) {
      throw damaged(
        start,
        `the checksum of section ${sections.length + 1} (bytes ${start} to ${start + length}) is wrong`,
      );
    }
    sections.push(section);
    at = start + length;
  }
  return sections;
}

export function damaged(offset: number, what: string): AssayError {
  return new AssayError('engine/bad-file', `damaged file, at byte ${offset}: ${what}`);
}
