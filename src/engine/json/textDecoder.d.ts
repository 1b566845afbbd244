// The one part of the WHATWG Encoding Standard the engine uses; every host of ours has it, the language's own library does not name it.
declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: Uint8Array): string;
}
