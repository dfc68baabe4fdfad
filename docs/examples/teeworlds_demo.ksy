# Demos of Teeworlds and DDNet for Kaitai Struct: header, map and chunks. What is in a chunk is compressed with a fixed Huffman code and packed as
# varints, which Kaitai Struct has no words for: tw-snap decode reads it.
meta:
  id: teeworlds_demo
  title: Teeworlds and DDNet demo
  file-extension: demo
  license: MIT
  endian: be
doc: |
  Versions 3 to 6, as the games write them. Source: `src/engine/shared/demo.cpp` and `demo.h` of the games.
seq:
  - id: magic
    contents: ['TWDEMO', 0]
  - id: version
    type: u1
    valid:
      min: 3
      max: 6
  - id: net_version
    size: 64
    type: text
    doc: The items are those of 0.7 if it begins with 0.7, otherwise those of 0.6.
  - id: map_name
    size: 64
    type: text
  - id: map_size
    type: s4
  - id: map_crc
    type: u4
  - id: type
    size: 8
    type: text
    doc: client or server
  - id: length
    type: s4
    doc: In seconds; 0 if the recording was not ended properly.
  - id: timestamp
    size: 20
    type: text
  - id: num_markers
    type: s4
    if: version >= 4
  - id: markers
    type: s4
    repeat: expr
    repeat-expr: 64
    if: version >= 4
    doc: The ticks that the recording player marked; only the first num_markers are valid.
  - id: map_sha256
    size: 48
    type: sha256
    if: has_sha256
  - id: map
    size: map_size
  - id: chunks
    type: chunk
    repeat: eos
instances:
  first_of_uuid:
    pos: 436
    type: u4
    if: version >= 6
  has_sha256:
    value: version >= 6 and first_of_uuid == 0x6be6da4a
types:
  text:
    seq:
      - id: value
        type: strz
        encoding: UTF-8
        eos-error: false
  sha256:
    seq:
      - id: uuid
        size: 16
      - id: hash
        size: 32
  chunk:
    seq:
      - id: head
        type: u1
      - id: tick
        type: s4
        if: is_tick and not has_step
        doc: The tick itself, where the head has no step to it.
      - id: long_size
        type:
          switch-on: short_size
          cases:
            30: u1
            31: u2le
        if: not is_tick and short_size >= 30
      - id: data
        size: 'short_size >= 30 ? long_size : short_size'
        if: not is_tick
    instances:
      is_tick:
        value: head & 0x80 != 0
      is_keyframe:
        value: is_tick and head & 0x40 != 0
        doc: A whole snapshot follows, not a delta.
      has_step:
        value: 'is_tick and head & (_root.version >= 5 ? 0x20 : 0x3f) != 0'
      step:
        value: 'head & (_root.version >= 5 ? 0x1f : 0x3f)'
        if: has_step
        doc: The ticks since the tick before.
      kind:
        value: head >> 5 & 3
        enum: kinds
      short_size:
        value: head & 0x1f
enums:
  kinds:
    0: unknown
    1: snapshot
    2: message
    3: delta
