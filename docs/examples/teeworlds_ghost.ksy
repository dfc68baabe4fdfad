# Ghosts of DDNet, the recordings of one race run, for Kaitai Struct: header and chunks. What is in a chunk is compressed with a fixed Huffman code and
# packed as varints, which Kaitai Struct has no words for: tw-snap dump reads it.
meta:
  id: teeworlds_ghost
  title: DDNet ghost
  file-extension: gho
  license: MIT
  endian: be
doc: |
  Versions 4 to 6. Source: `src/engine/client/ghost.cpp` of DDNet.
seq:
  - id: magic
    contents: ['TWGHOST', 0]
  - id: version
    type: u1
    valid:
      min: 4
      max: 6
  - id: owner
    size: 16
    type: text
  - id: map_name
    size: 64
    type: text
  - id: map_crc
    type: u4
    doc: 0 in version 6.
  - id: num_characters
    type: u4
    doc: 0 until the recording ended, as is the time.
  - id: time
    type: u4
    doc: In milliseconds.
  - id: map_sha256
    size: 32
    if: version >= 6
  - id: chunks
    type: chunk
    repeat: eos
types:
  text:
    seq:
      - id: value
        type: strz
        encoding: UTF-8
        eos-error: false
  chunk:
    seq:
      - id: type
        type: u1
        enum: types
      - id: num_items
        type: u1
      - id: size
        type: u2
      - id: data
        size: size
enums:
  types:
    0: skin
    1: character_without_tick
    2: character
    3: start_tick
