// The bundler puts the bytes of these files into the program.
declare module '*.demo' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
declare module '*.pcap' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
declare module '*.huff' {
  const bytes: Uint8Array<ArrayBuffer>;
  export default bytes;
}
