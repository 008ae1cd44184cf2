/** CRC-32 (ISO-HDLC), as in zip and png: finds every burst error up to 32 bits, hence every flipped byte. */

function makeTable(): Int32Array {
  return Int32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? (c >>> 1) ^ 0xedb88320 : c >>> 1;
    return c;
  });
}

const table = makeTable();

export function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (let i = 0; i < bytes.length; i++) crc = (crc >>> 8) ^ table[(crc ^ bytes[i]) & 255];
  return ~crc >>> 0;
}
