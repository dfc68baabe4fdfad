// rustc --edition 2021 -o adapter examples/adapter.rs && node check.mjs --tsv -- ./adapter
use std::io::{self, BufRead};

// Three layers of a decoder, None where they refuse. Use yours in their place.
fn varint(data: &[u8]) -> Option<(i32, usize)> {
    let first = *data.first()?;
    let (mut byte, mut value, mut size) = (first, i32::from(first & 0x3f), 1);
    while byte & 0x80 != 0 && size < 5 {
        byte = *data.get(size)?;
        value |= i32::from(byte & if size == 4 { 0x0f } else { 0x7f }) << (7 * size - 1);
        size += 1;
    }
    Some((if first & 0x40 != 0 { !value } else { value }, size))
}

fn string(data: &[u8]) -> Option<String> {
    let end = data.iter().position(|&byte| byte == 0)?;
    let text = std::str::from_utf8(&data[..end]).ok()?;
    let json = |c: char| if c < ' ' || "\"\\".contains(c) { format!("\\u{:04x}", c as u32) } else { c.to_string() };
    Some(format!(r#"{{"text":"{}","size":{}}}"#, text.chars().map(json).collect::<String>(), end + 1))
}

fn chunk(data: &[u8], split: u32) -> Option<String> {
    let (first, second) = (u32::from(*data.first()?), u32::from(*data.get(1)?));
    let (vital, resend) = (first & 0x40 != 0, first & 0x80 != 0);
    let size = (first & 0x3f) << split | second & ((1 << split) - 1);
    let head = format!(r#"{{"vital":{vital},"resend":{resend},"size":{size},"header":"#);
    if !vital { return Some(head + "2}"); }
    let sequence = (second >> split << (split + 2)) & 0x3ff | u32::from(*data.get(2)?);
    Some(format!(r#"{head}3,"sequence":{sequence}}}"#))
}

fn main() {
    for line in io::stdin().lock().lines().map(Result::unwrap) {
        let [id, layer, protocol, hex, _] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        let pair = |at| u8::from_str_radix(&hex[at..at + 2], 16).unwrap();
        let data: Vec<u8> = (0..hex.len()).step_by(2).map(pair).collect();
        let out = match layer {
            "varint" => varint(&data).map(|(value, size)| format!(r#"{{"value":{value},"size":{size}}}"#)),
            "string" => string(&data),
            "chunk" => chunk(&data, if protocol == "0.7" { 6 } else { 4 }),
            _ => { println!(r#"{{"id":"{id}","skip":true}}"#); continue }
        };
        match out {
            Some(out) => println!(r#"{{"id":"{id}","out":{out}}}"#),
            None => println!(r#"{{"id":"{id}","error":"refused"}}"#),
        }
    }
}
