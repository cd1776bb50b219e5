// Numbers out of the page: base64, then a zlib stream that the browser itself takes apart.
import type { Packed } from "./data";

export type Numbers = Float32Array | Uint8Array | Int32Array;

const known = new WeakMap<Packed, Promise<Numbers>>();

// Asked for twice, unpacked once. Rejects what is not as long as it says.
export function unpack(packed: Packed): Promise<Numbers> {
  let promise = known.get(packed);
  if (promise === undefined) {
    promise = read(packed);
    known.set(packed, promise);
  }
  return promise;
}

export async function unpackIntegers(packed: Packed): Promise<Int32Array> {
  const numbers = await unpack(packed);
  if (!(numbers instanceof Int32Array)) throw new Error("whole numbers expected");
  return numbers;
}

async function read(packed: Packed): Promise<Numbers> {
  const bytes = await inflate(packed.data);
  const numbers =
    packed.encoding === "f32" ? new Float32Array(bytes) : packed.encoding === "i32" ? new Int32Array(bytes) : new Uint8Array(bytes);
  if (numbers.length !== packed.length) throw new Error("not as many numbers as there should be");
  return numbers;
}

async function inflate(base64: string): Promise<ArrayBuffer> {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).arrayBuffer();
}
